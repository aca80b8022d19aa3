/** Amounts in the words in which they are read. */

/** Seconds as whole minutes, truncated, from more than an hour on with its hours: `47分钟`, `44小时23分钟`. */
export function minutes(seconds: number): string {
  const whole = Math.floor(seconds / 60);
  if (whole <= 60) return `${whole}分钟`;
  const rest = whole % 60;
  return `${Math.floor(whole / 60)}小时${rest > 0 ? `${rest}分钟` : ''}`;
}

/** Seconds as whole minutes, truncated, as study and teaching are counted: `2663分钟`. */
export const wholeMinutes = (seconds: number): string => `${Math.floor(seconds / 60)}分钟`;

export const percentText = (percent: number): string => `${percent}%`;
