/** First step of a question import: templates to download, and the file to upload. */
import { Button } from '@mantine/core';
import { formatBytes } from '#server/platform/files/rules.ts';
import type { startImport } from '#server/questions/import.contract.ts';
import { importBytes } from '#server/questions/rules.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import styles from './import.work.module.css';

const { FileField, Form } = formOf<typeof startImport, 'file'>();

export interface UploadPlaces {
  /** Address to which the file is posted. */
  action: string;
  templates: { word: string; excel: string };
  backHref: string;
}

export function UploadForm({ action, templates, backHref }: UploadPlaces) {
  return (
    <>
      <section className={styles.step}>
        <h2>1. 下载模板，按模板填写题目</h2>
        <div className={styles.buttons}>
          <Button component="a" variant="default" href={templates.word} target="_blank" rel="noreferrer">
            下载Word模板
          </Button>
          <Button component="a" variant="default" href={templates.excel} target="_blank" rel="noreferrer">
            下载Excel模板
          </Button>
        </div>
        <ul>
          <li>Word 模板：题目之间用五个井号（#####）隔开，小题之间用四个井号（####）隔开，各项用【】标明；</li>
          <li>题干、选项、答案和难度必填；不支持公式，公式请截成图片，或在导入后于题目中编辑；</li>
          <li>Excel 模板：每种题型一个工作表，单选题、多选题和不定项选择题最多 6 个选项。</li>
        </ul>
      </section>
      <section className={styles.step}>
        <h2>2. 上传填好的文件</h2>
        <Form action={action} encType="multipart/form-data" className={styles.upload}>
          <FileField
            name="file"
            label={`选择 .docx 或 .xlsx 文件（不超过 ${formatBytes(importBytes)}）`}
            description="上传后先预览识别结果，确认后才会导入。"
            required
            accept=".docx,.xlsx,application/vnd.openxmlformats-officedocument.wordprocessingml.document,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          />
          <div className={styles.buttons}>
            <Button component="a" href={backHref} variant="default">
              返回
            </Button>
            <Submit>上传并预览</Submit>
          </div>
        </Form>
      </section>
    </>
  );
}
