/** Events between the scripts of a page with a form of answers. */

/** Tells a form of answers to save now: its time is nearly over. */
export const saveNow = 'save-now';
/** Tells the clock how many seconds are left; null without end. */
export const answersLeft = 'time-left';
