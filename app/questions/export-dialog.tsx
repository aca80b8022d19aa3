/** Dialog that exports questions: choice of the format, what the file will lack, and the download. */
import { Alert, Button } from '@mantine/core';
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { ExportPlan } from '#server/questions/export.contract.ts';
import {
  type ExportFormat,
  type ExportVariant,
  exportFormatNames,
  exportFormats,
  exportVariantNames,
  exportVariants,
  hasVariants,
} from '#server/questions/export.rules.ts';
import type { Address } from '../lib/address.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import styles from './export-dialog.module.css';

export interface ExportChoice {
  format: ExportFormat;
  variant: ExportVariant;
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
  const isSheet = hasVariants(choice.format) && choice.variant === 'answer-sheet';
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
      {hasVariants(choice.format) && (
        <SwitchLinks
          label="答案"
          className={styles.formats}
          links={exportVariants.map((variant) => ({
            label: exportVariantNames[variant],
            href: hrefOf({ ...choice, variant }),
            current: variant === choice.variant,
          }))}
        />
      )}
      {fault && <Alert>{fault}</Alert>}
      {!fault && losses.length === 0 && !isSheet && <p>所选题目的内容都能保留。</p>}
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

export interface ExportDialogOptions<Of extends string> {
  /** The call that answers the plan of a record's export. */
  call: AnyCall;
  /** The dialog's declaration in screens.ts. */
  at: {
    at(url: URL): ExportChoice;
    behind(url: URL): Address<Of>;
    href(behind: Address<Of>, choice: ExportChoice): string;
  };
  /** The declaration of the file's address. */
  file: { href(values: ExportChoice & { id: number }): string };
  /** Reads the id of the record from the address of the screen below. */
  recordId(behind: URL): number;
}

interface ExportPageProps<Of extends string> {
  loaderData: { plan: ExportPlan; id: number; choice: ExportChoice; closeHref: Address<Of> };
}

/**
 * Declares the dialog that exports the questions of a homework or an exam. Returns the options with the route's `meta`
 * and `page`; `exportLoader` makes its loader.
 */
export const exportDialog = <Of extends string>(options: ExportDialogOptions<Of>) => ({
  ...options,
  meta: exportMeta,
  page: function ExportPage({ loaderData: { plan, id, choice, closeHref } }: ExportPageProps<Of>) {
    return (
      <ExportDialog
        plan={plan}
        choice={choice}
        closeHref={closeHref}
        hrefOf={(other) => options.at.href(closeHref, other)}
        fileHref={options.file.href({ id, ...choice })}
      />
    );
  },
});

export const exportMeta = () => titleMeta('导出题目');
