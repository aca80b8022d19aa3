/** Units of the numbers that tables hold. */

/** Unix seconds. */
export type Moment = number;

/** A duration in seconds. */
export type Seconds = number;

/** Tenths of a point; hundredths in homework that is rated. */
export type Score = number;
