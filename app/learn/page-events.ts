/** DOM events between the scripts of a page with a form of answers. */

/** Tells the form to save now, because the time is nearly over. */
export const saveNowEvent = 'save-now';
/** Tells the clock how many seconds are left. Null without a time limit. */
export const timeLeftEvent = 'time-left';
