/**
 * The types of settings. No code.
 *
 * @typedef {Object} Setting
 * @property {any} default its type is the type of the setting: boolean, number, string (or null), list of strings,
 *   object
 * @property {readonly any[]} [oneOf] the values that are allowed
 * @property {(value: any) => boolean} [allows] whether a value of the right type is allowed
 * @property {string} [url] its name in the address, of a setting that says what is shown. One without is personal:
 *   links and sessions leave it out, and nobody else's replace it
 * @property {boolean} [isWork] it is work and no taste: a reset of all settings leaves it
 * @property {boolean} [isText] it is a text of the user: links and sessions have it if it is short and not the default,
 *   and one without it leaves what there is
 * @property {number} [most] of a list: the number of items that an address may bring
 * @property {(value: any, get: (name: string) => any) => any} [settle] fits the value to other settings; called after
 *   every change
 *
 * @typedef {Object} Shared the values of the settings that screens share
 * @property {string[]} chosen @property {string|null} active
 * @property {boolean} addSpecialTokens @property {import('../../api/types.js').Specials} specials
 * @property {boolean} ignoreSpaces @property {boolean} showIds @property {boolean} showWhiteSpace
 * @property {string} colourBy
 * @property {boolean} showPanel @property {number} panelWidth
 * @property {'window'|'page'|'column'} pictureWidth
 * @property {'screen'|'column'|'page'} figureWidth @property {string} figureText @property {boolean} figureTitle
 * @property {'system'|'light'|'dark'} theme @property {string} textSize
 * @property {boolean} singleKeys
 * @property {Object<string, string[]>} sets @property {Object<string, string>} letters
 *
 * @typedef {{[Name in keyof Shared]: Setting & {default: Shared[Name]}}} SharedSettings
 */
export {};
