import { acceptedExtensions, coursewareMessages, fileFault } from '#server/courseware/rules.ts';
import type { SessionDetail } from '#server/sessions/contract.ts';
import { FileForm, useFileForm } from '../courseware/file-form.tsx';
import type { AddressOf } from '../lib/address.ts';
import type { Refused } from '../ui/form-state.ts';
import { type eitherSession, handout, handoutSend } from './screens.ts';

interface HandoutFormProps {
  session: SessionDetail;
  /** The lesson's own screen. */
  closeHref: AddressOf<typeof eitherSession>;
  idempotencyKey: string;
  refused: Refused | undefined;
}

/** Of ordinary courseware: documents, decks and pictures. */
const formats = acceptedExtensions(1, 'lesson');

export function HandoutForm({ session, closeHref, idempotencyKey: key, refused }: HandoutFormProps) {
  const state = useFileForm({
    sendTo: handoutSend.href({ id: session.id, key, return: closeHref }),
    refused,
    fault: (chosen) => (chosen ? fileFault(chosen, 1, 'lesson') : coursewareMessages.choose),
  });
  return (
    <FileForm
      state={state}
      action={handout.href(closeHref, { key })}
      closeHref={closeHref}
      submit="上传"
      accept={formats}
      file={{ label: '讲义文件', description: `支持 ${formats.join('、')}` }}
    >
      {session.file_status !== 2 && <p>重新上传后将替换现有讲义，并重新审核。</p>}
    </FileForm>
  );
}
