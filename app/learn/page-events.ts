/** What the scripts of a page that is written tell each other. */

/** To a form of answers: to be saved now, for its time is nearly over. */
export const saveNow = 'save-now';
/** To the clock: seconds that are left, null without end. */
export const answersLeft = 'time-left';
