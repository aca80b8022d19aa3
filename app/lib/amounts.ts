/** Amounts in the words in which they are read. */

/** Seconds as whole minutes, truncated. */
export const minutes = (seconds: number): string => `${Math.floor(seconds / 60)} 分钟`;

export const percentText = (percent: number): string => `${percent}%`;
