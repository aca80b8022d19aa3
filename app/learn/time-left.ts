/** Formats the time left: `还剩1小时02分05秒`. From one day on, leaves out the seconds. */
export function formatTimeLeft(seconds: number): string {
  if (seconds <= 0) return '时间已到';
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days > 1) return `还剩${days}天`;
  const two = (value: number) => String(value % 60).padStart(2, '0');
  if (hours > 0) return `还剩${hours}小时${two(minutes)}分${two(seconds)}秒`;
  return minutes > 0 ? `还剩${minutes}分${two(seconds)}秒` : `还剩${seconds}秒`;
}
