/** Starts the lab. */
import { storePath } from './app/state/address.js';
import { start } from './app/start.js';
import { SCREENS } from './screens.js';

/** @param {string} name */
const meta = name => document.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? '';

/** Starts the lab in an empty body. A browser test that ends clears the page, and the next one begins here. */
export const begin = () =>
  start(SCREENS, { nonce: meta('csp-nonce'), maxRequestBytes: Number(meta('max-request-bytes')) });

storePath();
begin();
