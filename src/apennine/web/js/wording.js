/** The words of the record as a reader wants them. */

/**
 * Without numbers that stand alone in brackets: they are values of the rules, not words. A hex has
 * four digits.
 * @param {string} text
 */
export const plain = (text) => text.replace(/ \(\d{1,3}\)(?=$|[;,.])/g, "");
