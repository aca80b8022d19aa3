/** First step of a question import: the file to upload, or the text to paste; and templates to download. */
import { Button } from '@mantine/core';
import { formatBytes } from '#server/platform/files/rules.ts';
import type { startImport, startPastedImport } from '#server/questions/import.contract.ts';
import { importBytes } from '#server/questions/import.rules.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import styles from './import.work.module.css';

const { FileField, Form } = formOf<typeof startImport, 'file' | 'answers'>();
const { AreaField, Form: PasteForm } = formOf<typeof startPastedImport>();

export interface UploadPlaces {
  /** Address to which the file is posted. */
  action: string;
  templates: { word: string; excel: string };
  backHref: string;
  /** Refused form of the pasted text. */
  refused: RefusedForm | undefined;
}

export function UploadForm({ action, templates, backHref, refused }: UploadPlaces) {
  return (
    <>
      <section className={styles.step}>
        <h2>上传试卷</h2>
        <Form action={action} encType="multipart/form-data" className={styles.upload}>
          <FileField
            name="file"
            label={`试卷文件（不超过 ${formatBytes(importBytes)}）`}
            description="Word 试卷、Word 或 Excel 模板，以及 Moodle、GIFT、QTI 等题库文件。上传后先核对，确认后才会导入。"
            required
          />
          <FileField
            name="answers"
            label="答案文件（可选）"
            description="答案在另一个 Word 文件中时一起上传，按题号对应。"
          />
          <div className={styles.buttons}>
            <Button component="a" href={backHref} variant="default">
              返回
            </Button>
            <Submit>上传并预览</Submit>
          </div>
        </Form>
      </section>
      <section className={styles.step}>
        <h2>粘贴试卷</h2>
        <PasteForm action={action} className={styles.upload} refused={refused?.errors?.text ? refused : undefined}>
          <AreaField
            name="text"
            label="试卷的文字"
            description="整份试卷连同答案一起粘贴：题号、选项、答案各占一行。图片和公式不会保留，请用 Word 文件。"
            rows={8}
          />
          <div className={styles.buttons}>
            <Submit intent="paste">识别</Submit>
          </div>
        </PasteForm>
      </section>
      <section className={styles.step}>
        <h2>模板</h2>
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
          <li>Excel 模板：每种题型一个工作表，单选题、多选题和不定项选择题最多 6 个选项。</li>
        </ul>
      </section>
    </>
  );
}
