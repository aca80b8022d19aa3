/** Formats seconds as minutes, rounded down: `47分钟`. Above 60 minutes also as hours: `44小时23分钟`. */
export function formatMinutes(seconds: number): string {
  const whole = Math.floor(seconds / 60);
  if (whole <= 60) return `${whole}分钟`;
  const rest = whole % 60;
  return `${Math.floor(whole / 60)}小时${rest > 0 ? `${rest}分钟` : ''}`;
}

/** Formats seconds as minutes, rounded down, also above an hour: `2663分钟`. */
export const formatWholeMinutes = (seconds: number): string => `${Math.floor(seconds / 60)}分钟`;

export const formatPercent = (percent: number): string => `${percent}%`;
