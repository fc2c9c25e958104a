/** Starts the lab. */
import { start } from './app/start.js';
import { SCREENS } from './screens.js';

const meta = name => document.querySelector(`meta[name=${name}]`).getAttribute('content');

start(SCREENS, { nonce: meta('csp-nonce'), maxRequestBytes: Number(meta('max-request-bytes')) });
