/** Uploads pictures of a text from the browser. */
import { type RefObject, useEffect } from 'react';
import { isPhotograph } from '#server/platform/files/rules.ts';
import { fileUpload } from '../files/screens.ts';
import { ownerHeadersAt } from '../lib/form-owner.ts';

/** Said by a form that is sent while a picture is uploaded. */
export const stillUploading = '图片还在上传，请等上传完成再保存';
const failed = '图片上传失败，请稍后再试';

/** Pictures among the files of a paste or a drop. Some systems give HEIC no type. */
export const picturesAmong = (files: FileList | null | undefined): File[] =>
  [...(files ?? [])].filter((file) => file.type.startsWith('image/') || isPhotograph(file));

/** Uploads a picture for the form around `field`; returns its path, or the message of a refusal. */
export async function uploadPicture(file: File, field: Element): Promise<{ path: string } | { msg: string }> {
  const form = new FormData();
  if (isPhotograph(file)) form.set('tidy', '1');
  form.set('file', file, file.name || `图片.${file.type.split('/')[1]}`);
  try {
    const response = await fetch(fileUpload.href(), { method: 'POST', headers: ownerHeadersAt(field), body: form });
    const answer = (await response.json()) as { path?: string; msg?: string };
    return answer.path ? { path: answer.path } : { msg: answer.msg ?? failed };
  } catch {
    return { msg: failed };
  }
}

/** Keeps the form around `place` from being sent while something in it is unfinished; `data-unfinished` says why. */
export function useUnfinishedGuard(place: RefObject<HTMLElement | null>, say: (problem: string) => void): void {
  useEffect(() => {
    const form = place.current?.closest('form');
    const guard = (event: Event) => {
      const problem = place.current?.querySelector<HTMLElement>('[data-unfinished]')?.dataset.unfinished;
      if (!problem) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(problem);
    };
    form?.addEventListener('submit', guard, true);
    return () => form?.removeEventListener('submit', guard, true);
  }, [place, say]);
}
