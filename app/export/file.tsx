/**
 * Streams an exported file once it is ready. Until then it shows a page that reloads itself, also without client JS.
 */
import { Button } from '@mantine/core';
import { createContext, redirect } from 'react-router';
import { type ExportProgress, exportedFile } from '#server/platform/export/contract.ts';
import { api } from '../api/client.server.ts';
import { home } from '../shell/screens.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/file';
import styles from './file.posts.module.css';
import { exportFileScreen } from './screens.ts';

/** Progress of the export. Null once the file is ready. */
const progressContext = createContext<ExportProgress | null>(null);

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }, next) => {
    const { token, wait: waits } = exportFileScreen.at(url);
    const response = await context.get(api).file(exportedFile, { params: { token }, from: request });
    const making = response.status === 202;
    if (!making && !waits) return response;
    if (making && !waits) throw redirect(exportFileScreen.href({ token, wait: true }));
    if (making) context.set(progressContext, ((await response.json()) as { data: ExportProgress }).data);
    else await response.body?.cancel();
    return next();
  },
];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...titleMeta('导出文件'),
  { httpEquiv: 'refresh', content: loaderData?.progress ? '2' : `0; url=${loaderData?.href ?? home.href()}` },
];

export function loader({ context, url }: Route.LoaderArgs) {
  return { progress: context.get(progressContext), href: url.pathname };
}

export default function ExportedFile({ loaderData: { progress, href } }: Route.ComponentProps) {
  if (!progress) {
    return (
      <Screen className={styles.page}>
        <h1>文件已生成</h1>
        <p role="status">下载会自动开始，没有开始时请点击下载。</p>
        <Button component="a" href={href}>
          下载
        </Button>
      </Screen>
    );
  }
  const { done, total, name } = progress;
  return (
    <Screen className={styles.page}>
      <h1>正在生成文件</h1>
      <p>{name}</p>
      <progress max={Math.max(total, 1)} value={done} aria-label="进度" />
      <p role="status">
        已完成 {done}/{total}，页面会自动刷新，完成后开始下载。
      </p>
    </Screen>
  );
}
