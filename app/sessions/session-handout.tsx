/** The handout of a lesson, and whether it is approved. */
import { Button } from '@mantine/core';
import type { SessionDetail } from '#server/sessions/contract.ts';
import { handoutFault } from '#server/sessions/rules.ts';
import { materialFile, materialPreview } from '../courseware/screens.ts';
import { Tag } from '../ui/tag.tsx';
import styles from './session.posts.module.css';
import { handoutStatusNames } from './terms.ts';

const handoutTones = { 1: 'good', 2: 'plain', 3: 'warn', 4: 'bad' } as const;

export function SessionHandout({ session, uploadHref }: { session: SessionDetail; uploadHref: string }) {
  const { file_status, file_name, file_remark, fid } = session;
  return (
    <section aria-labelledby="handout">
      <div className={styles.sectionHead}>
        <h2 id="handout">讲义</h2>
        {handoutFault(session) === undefined && (
          <Button component="a" href={uploadHref} variant="default">
            {file_status === 2 ? '上传讲义' : '重新上传'}
          </Button>
        )}
      </div>
      <div className={styles.handout}>
        <Tag tone={handoutTones[file_status]}>{handoutStatusNames[file_status]}</Tag>
        {fid > 0 && (
          <>
            <span className={styles.file}>{file_name}</span>
            <a href={materialPreview.href({ fid })} aria-label={`预览讲义${file_name}`}>
              预览
            </a>
            <a href={materialFile.href({ fid, download: true })} aria-label={`下载讲义${file_name}`}>
              下载
            </a>
          </>
        )}
        {file_status === 4 && <p className={styles.rejected}>驳回原因：{file_remark || '未填写'}</p>}
      </div>
    </section>
  );
}
