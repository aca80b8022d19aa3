import { browsers } from './screens.ts';

/** Room for a chart until its script draws it. Whoever runs no script is shown no empty room, and is told what draws it. */
export function ChartSpace({ height }: { height: number }) {
  return (
    <>
      <div data-chart-space="" style={{ height }} />
      <noscript>
        <style>{'[data-chart-space]{display:none}'}</style>
        <p>
          图表需要运行脚本的<a href={browsers.href()}>较新的浏览器</a>，其中的数字也列在表格中。
        </p>
      </noscript>
    </>
  );
}
