/**
 * What the living screen must know without asking. The API decides; a test holds these to its contract, which itself
 * would bring a validation library into the browser.
 */

/** Characters of a comment. */
export const commentLimit = 300;
/** Attachments of one review. */
export const attachmentLimit = 9;
/** Percent; the only marks where a homework is rated. */
export const rateChoices = [0, 25, 50, 60, 75, 100] as const;
