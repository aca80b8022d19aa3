/** Dialog that exports questions: choice of the format, what the file will lack, and the download. */
import { Alert, Button } from '@mantine/core';
import type { ExportPlan } from '#server/questions/export.contract.ts';
import { type ExportFormat, exportFormatNames, exportFormats, hidesAnswers } from '#server/questions/rules.ts';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import styles from './export-dialog.module.css';

export interface ExportChoice {
  format: ExportFormat;
  without_answers: boolean;
}

interface ExportDialogProps {
  plan: ExportPlan;
  choice: ExportChoice;
  closeHref: string;
  /** Address of the dialog with another choice. */
  hrefOf: (choice: ExportChoice) => string;
  /** Address of the file. */
  fileHref: string;
}

/** Maximum number of losses that the dialog lists; of further ones it only shows the number. */
const maxListed = 100;

export function ExportDialog({ plan, choice, closeHref, hrefOf, fileHref }: ExportDialogProps) {
  const { total, count, fault, losses, file_name } = plan;
  return (
    <Dialog title="导出题目" closeHref={closeHref} width={640}>
      <p>
        {plan.title}，共 {total} 道题目
        {!fault && count < total && `，可导出 ${count} 道`}
      </p>
      <SwitchLinks
        label="格式"
        className={styles.formats}
        links={exportFormats.map((format) => ({
          label: exportFormatNames[format],
          href: hrefOf({ ...choice, format }),
          current: format === choice.format,
        }))}
      />
      {hidesAnswers(choice.format) && (
        <SwitchLinks
          label="答案"
          links={[false, true].map((without_answers) => ({
            label: without_answers ? '不含答案' : '含答案和解析',
            href: hrefOf({ ...choice, without_answers }),
            current: without_answers === choice.without_answers,
          }))}
        />
      )}
      {fault && <Alert>{fault}</Alert>}
      {!fault && losses.length === 0 && <p>所选题目的内容都能保留。</p>}
      {losses.length > 0 && (
        <section aria-labelledby="export-losses">
          <h3 id="export-losses" className={styles.heading}>
            这种格式放不下的内容
          </h3>
          <ul className={styles.losses}>
            {losses.slice(0, maxListed).map(({ where, message }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing comes between them.
              <li key={place}>
                {where}：{message}
              </li>
            ))}
          </ul>
          {losses.length > maxListed && (
            <p>
              共 {losses.length} 处，以上是前 {maxListed} 处
            </p>
          )}
        </section>
      )}
      {!fault && <p className={styles.name}>文件名：{file_name}</p>}
      <DialogActions>
        <Button component="a" href={closeHref} variant="default">
          取消
        </Button>
        {!fault && (
          <Button component="a" href={fileHref} download>
            下载
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
