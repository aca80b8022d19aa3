/** Uploads a form by XMLHttpRequest, because fetch reports no upload progress. */
import type { SendAnswer } from '../shell/json-answer.server.ts';

const broken: SendAnswer = { msg: '上传中断，请检查网络后重试' };

/** Sends a form. `answer` is undefined if the user cancelled. `onProgress` gets whole percent. */
export function sendWithProgress(
  address: string,
  form: FormData,
  onProgress: (percent: number) => void,
): { answer: Promise<SendAnswer | undefined>; stop: () => void } {
  const request = new XMLHttpRequest();
  const answer = new Promise<SendAnswer | undefined>((resolve) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(Math.floor((loaded / total) * 100)));
    request.addEventListener('load', () => resolve(readAnswer(request)));
    request.addEventListener('error', () => resolve(broken));
    request.addEventListener('abort', () => resolve(undefined));
  });
  request.open('POST', address);
  request.send(form);
  return { answer, stop: () => request.abort() };
}

function readAnswer({ status, responseText }: XMLHttpRequest): SendAnswer {
  if (status === 401) return { msg: '登录已过期，请在新窗口登录后重试' };
  try {
    return JSON.parse(responseText) as SendAnswer;
  } catch {
    return broken;
  }
}
