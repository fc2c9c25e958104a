/** Starts the lab. */
import { storePath } from './app/address.js';
import { start } from './app/start.js';
import { SCREENS } from './screens.js';

const meta = name => document.querySelector(`meta[name=${name}]`).getAttribute('content');

storePath();
start(SCREENS, { nonce: meta('csp-nonce'), maxRequestBytes: Number(meta('max-request-bytes')) });
