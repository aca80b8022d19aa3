/**
 * A score as everybody reads it, on screens, in files and in print: one decimal, a dash for none.
 * On its own, for the charts carry it into the browser and nothing of the calls beside it.
 */
export const shownScore = (score: number | null): string => (score === null ? '-' : score.toFixed(1));
