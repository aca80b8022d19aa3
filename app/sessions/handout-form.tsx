import { acceptedExtensions, coursewareMessages, fileFault } from '#server/courseware/rules.ts';
import { FileForm, useFileForm } from '../courseware/file-form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';

interface HandoutFormProps {
  /** True if the new file replaces an earlier handout. */
  replaces: boolean;
  /** Address to which the browser posts the form without client JS. */
  action: string;
  /** Address to which client JS sends the form. */
  sendTo: string;
  closeHref: string;
  refused: RefusedForm | undefined;
}

/** File formats of ordinary courseware: documents, slides and pictures. */
const formats = acceptedExtensions(1, 'lesson');

export function HandoutForm({ replaces, action, sendTo, closeHref, refused }: HandoutFormProps) {
  const state = useFileForm({
    sendTo,
    refused,
    fault: (chosen) => (chosen ? fileFault(chosen, 1, 'lesson') : coursewareMessages.choose),
  });
  return (
    <FileForm
      state={state}
      action={action}
      closeHref={closeHref}
      submit="上传"
      accept={formats}
      file={{ label: '讲义文件', description: `支持 ${formats.join('、')}` }}
    >
      {replaces && <p>重新上传后将替换现有讲义，并重新审核。</p>}
    </FileForm>
  );
}
