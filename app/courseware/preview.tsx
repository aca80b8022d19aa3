/** Shows a courseware file in the browser's own viewer, or offers its download. */
import { Button } from '@mantine/core';
import { type MaterialPreview, previewMaterial } from '#server/courseware/contract.ts';
import { formatBytes } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/preview';
import styles from './preview.posts.module.css';
import { materialFile, materialLibrary, materialPreview } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课件库', href: materialLibrary.href() }, { label: '预览课件' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.file.ware_filename ?? '预览课件');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { fid } = materialPreview.at(url);
  const file = await context.get(api).send(previewMaterial, { query: { fid } });
  return { file, download: materialFile.href({ fid, download: true }) };
}

export default function PreviewCourseware({ loaderData: { file, download } }: Route.ComponentProps) {
  return (
    <Screen>
      <div className={styles.head}>
        <h1>{file.ware_filename}</h1>
        <span>{formatBytes(file.file_size)}</span>
        <Button component="a" href={download}>
          下载
        </Button>
      </div>
      <div className={styles.stage}>
        <Shown file={file} />
      </div>
    </Screen>
  );
}

function Shown({ file: { url, ware_filename, content_type, inline } }: { file: MaterialPreview }) {
  const kind = inline === 1 ? content_type.split('/')[0] : 'other';
  if (kind === 'image') return <img src={url} alt={ware_filename} />;
  if (kind === 'application') return <iframe src={url} title={ware_filename} />;
  if (kind === 'audio' || kind === 'video') {
    return (
      <>
        {/* Uploaded files have no subtitles. */}
        {kind === 'audio' ? (
          // biome-ignore lint/a11y/useMediaCaption: see above.
          <audio src={url} controls preload="metadata" aria-label={ware_filename} />
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: see above.
          <video src={url} controls preload="metadata" aria-label={ware_filename} />
        )}
        <p>如果浏览器无法播放这种格式，请下载后观看。</p>
      </>
    );
  }
  return <p>这种格式的课件不能在浏览器中预览，请下载后打开。</p>;
}
