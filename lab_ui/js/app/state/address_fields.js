/**
 * The state of a screen in its address: each field is declared once, with its name there and its usual value, which the
 * address leaves out. What an address says otherwise than a field may be is ignored.
 *
 * @typedef {Object} Field
 * @property {string} name in the address
 * @property {(given: string|null) => any} read the value of the state
 * @property {(value: any) => string|null} write null: it is left out
 */
/**
 * @template State
 * @typedef {{paramsOf: (state: State) => URLSearchParams, stateOf: (params: URLSearchParams) => State}} Address
 */

/** @param {string} name @returns {Field} of a whole number; null without one */
export const number = name => ({
  name,
  read: given => (/^\d+$/.test(given ?? '') ? Number(given) : null),
  write: value => (value === null ? null : String(value)),
});

/** @param {string} name @param {{value: string}[]} choices @param {string|null} usual @returns {Field} */
export const oneOf = (name, choices, usual) => ({
  name,
  read: given => choices.find(({ value }) => value === given)?.value ?? usual,
  write: value => (value === usual ? null : value),
});

/** @param {string} name @param {string|null} [usual] @returns {Field} of a text */
export const text = (name, usual = null) => ({ name, read: given => given || usual, write: value => value || null });

/** @param {string} name @param {string} yes what stands there if it is so @returns {Field} */
export const flag = (name, yes) => ({ name, read: given => given === yes, write: value => (value ? yes : null) });

/**
 * @template State
 * @param {Record<keyof State & string, Field>} fields
 * @returns {Address<State>}
 */
export function addressOf(fields) {
  const all = /** @type {[keyof State & string, Field][]} */ (Object.entries(fields));
  return {
    paramsOf: state =>
      new URLSearchParams(
        all.flatMap(([key, { name, write }]) => {
          const value = write(state[key]);
          return value === null ? [] : [[name, value]];
        }),
      ),
    stateOf: params =>
      /** @type {any} */ (Object.fromEntries(all.map(([key, { name, read }]) => [key, read(params.get(name))]))),
  };
}
