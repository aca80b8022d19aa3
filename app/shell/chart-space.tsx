import { supportedBrowsers } from './screens.ts';

/**
 * Keeps the space of a chart until its script draws it. Without script it takes no space and says that the chart needs
 * script.
 */
export function ChartSpace({ height }: { height: number }) {
  return (
    <>
      <div data-chart-space="" style={{ height }} />
      <noscript>
        <style>{'[data-chart-space]{display:none}'}</style>
        <p>
          图表需要运行脚本的<a href={supportedBrowsers.href()}>较新的浏览器</a>，其中的数字也列在表格中。
        </p>
      </noscript>
    </>
  );
}
