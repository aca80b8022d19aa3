/** Uploads files of the grading panel and pictures of the mark-up board. */

import { useState } from 'react';
import { gradingMessages, imageLimit } from '#server/grading-desk/rules.ts';
import { type FormOwner, ownerHeaders } from '../../lib/form-owner.ts';
import type { PanelFaults } from './grade-panel.tsx';
import type { GradingStore } from './grading-store.ts';
import type { DeskAddresses } from './links.ts';
import type { Attachment } from './save-queue.ts';

export function useUploads(store: GradingStore, hrefs: DeskAddresses, person: FormOwner) {
  const [uploading, setUploading] = useState(0);
  /** Error of an upload. `id` is the answer that the file belongs to. */
  const [fault, setFault] = useState<{ id: string; text: string } | undefined>();

  const attach = async (files: readonly File[]) => {
    const { draft } = store.snapshot();
    const id = store.id();
    setFault(undefined);
    if (draft.review_attachments.length + files.length > imageLimit) {
      setFault({ id, text: gradingMessages.attachments });
      return;
    }
    for (const file of files) {
      setUploading((count) => count + 1);
      const sent = await attachment(file, hrefs.upload, person);
      setUploading((count) => count - 1);
      if ('url' in sent) store.attachTo(id, sent);
      else setFault({ id, text: sent.msg });
    }
  };

  return {
    attach,
    uploading,
    faults: (fault?.id === store.id() ? { review_attachments: fault.text } : {}) satisfies PanelFaults,
    /** Uploads a drawn-on image. Rejects if the upload fails: the board then keeps the marks and shows an error. */
    saveDrawing: async (place: number, draw: string, flattened: Blob) => {
      const form = new FormData();
      form.set('base64_image', await asDataUrl(flattened));
      const sent = await post(hrefs.image, form, person);
      const path = (sent.data as { path?: string } | undefined)?.path;
      if (!path) throw new Error(sent.msg);
      store.saveDrawing(place, { draw, path });
    },
  };
}

async function attachment(file: File, upload: string, person: FormOwner): Promise<Attachment | { msg: string }> {
  const form = new FormData();
  form.set('file', file, file.name);
  const { msg, path, originalName } = await post(upload, form, person);
  return path ? { name: originalName ?? file.name, url: path, ext: path.split('.').at(-1) ?? '' } : { msg };
}

interface Answer {
  msg: string;
  path?: string;
  originalName?: string;
  data?: unknown;
}

async function post(path: string, form: FormData, person: FormOwner): Promise<Answer> {
  const failed = { msg: '上传失败，请重试' };
  try {
    const response = await fetch(path, { method: 'POST', headers: ownerHeaders(person), body: form });
    return { ...failed, ...((await response.json()) as Answer) };
  } catch {
    return failed;
  }
}

function asDataUrl(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(image);
  });
}
