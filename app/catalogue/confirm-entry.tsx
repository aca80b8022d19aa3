/** A dialog that asks whether something may be done with an entry. */
import type { CatalogueRecord } from '#server/catalogue/contract.ts';
import { type CatalogueKind, catalogueNames } from '#server/catalogue/rules.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Refused } from '../ui/form-state.ts';

interface ConfirmEntryProps {
  /** What is done, such as 删除. */
  verb: string;
  question: string;
  loaderData: { kind: CatalogueKind; entry: CatalogueRecord; closeHref: string; idempotencyKey: string };
  actionData?: Refused | undefined;
}

export function ConfirmEntry({ verb, question, loaderData, actionData }: ConfirmEntryProps) {
  const { kind, entry, closeHref, idempotencyKey } = loaderData;
  const what = catalogueNames[kind];
  return (
    <Dialog title={verb + what} closeHref={closeHref}>
      <p>
        {what}：<strong>{entry.name}</strong>
      </p>
      {entry.uses && <p>正在使用：{entry.uses}。</p>}
      <p>{question}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit={`确定${verb}`}
        tone="danger"
      />
    </Dialog>
  );
}
