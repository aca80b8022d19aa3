/** Room for a chart until its script draws it. Whoever runs no script is shown no empty room. */
export function ChartSpace({ height }: { height: number }) {
  return (
    <>
      <div data-chart-space="" style={{ height }} />
      <noscript>
        <style>{'[data-chart-space]{display:none}'}</style>
      </noscript>
    </>
  );
}
