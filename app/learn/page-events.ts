/** DOM events between the scripts of a page with a form of answers. */

/** Has the form save now, because its time is nearly over. */
export const saveNowEvent = 'save-now';
/** Gives the clock the seconds left; null without a time limit. */
export const timeLeftEvent = 'time-left';
