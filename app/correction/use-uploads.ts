/** Files of the panel and drawings of the board, on their way to the school's storage. */
import { useState } from 'react';
import { imageLimit } from '#server/correction/contract.ts';
import type { DeskPlaces } from './desk.ts';
import type { GradingStore } from './grading-store.ts';
import type { PanelFaults } from './grade-panel.tsx';

interface Uploaded {
  name: string;
  url: string;
  ext: string;
}

export function useUploads(store: GradingStore, places: DeskPlaces) {
  const [uploading, setUploading] = useState(0);
  const [fault, setFault] = useState<string | undefined>();

  const attach = async (files: readonly File[]) => {
    const { draft } = store.snapshot();
    setFault(undefined);
    if (draft.review_attachments.length + files.length > imageLimit) {
      setFault(`附件最多${imageLimit}个`);
      return;
    }
    const id = store.id();
    for (const file of files) {
      setUploading((count) => count + 1);
      const sent = await upload(`${places.base}/attachment`, 'file', file, file.name);
      setUploading((count) => count - 1);
      if (typeof sent === 'string') setFault(sent);
      else store.attachTo(id, sent);
    }
  };

  return {
    attach,
    uploading,
    faults: (fault ? { review_attachments: fault } : {}) satisfies PanelFaults,
    /** A drawing that was not saved on the board. */
    drawing: (place: number) => store.keptDrawing(place),
    keepDrawing: (place: number, draw: string) => store.keepDrawing(place, draw),
    /** Rejects where the image could not be sent: the board keeps the marks and says so. */
    saveDrawing: async (place: number, draw: string, flattened: Blob) => {
      const sent = await upload(`${places.base}/image`, 'base64_image', flattened, 'marked.jpg');
      if (typeof sent === 'string') throw new Error(sent);
      store.saveDrawing(place, { draw, path: sent.url });
    },
  };
}

/** The file as it is kept, or why it was not taken. */
async function upload(path: string, field: string, file: Blob, name: string): Promise<Uploaded | string> {
  const form = new FormData();
  form.set(field, file, name);
  try {
    const response = await fetch(path, { method: 'POST', body: form });
    const reply = (await response.json()) as { msg?: string; data?: Uploaded };
    return response.ok && reply.data ? reply.data : (reply.msg ?? '上传失败，请重试');
  } catch {
    return '上传失败，请重试';
  }
}
