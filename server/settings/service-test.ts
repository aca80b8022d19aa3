/** Tests a service with one request. Reports the status with our own advice, but never the text of the response. */
import { createHash, randomUUID } from 'node:crypto';
import { fetchOutgoing, internalAddressMessage, isInternalAddressError } from '#server/platform/outgoing/fetch.ts';
import { textSignature } from '#server/platform/sms/delivery.ts';
import type { TestResult } from './contract.ts';

/** Milliseconds. */
const responseTimeout = 8_000;
/** Maximum characters that are read of a response. */
const judged = 64 * 1024;

/** Function that returns the fault of a response as a sentence; undefined if the response is right. */
export type AnswerCheck = (status: number, text: string) => string | undefined;

export const unexpectedAnswer = '应答的内容不符，请检查地址和密钥';

/** Creates a check of a response: first by its status, then by `isRight`. */
export const answerCheck =
  (isRight: (text: string) => boolean): AnswerCheck =>
  (status, text) =>
    faultOfStatus(status) ?? (isRight(text) ? undefined : unexpectedAnswer);

/** Creates a check of a JSON response by its field with the error code. */
export const errorCodeCheck =
  (name: 'errcode' | 'code'): AnswerCheck =>
  (status, text) => {
    const code = new RegExp(`"${name}"\\s*:\\s*(-?\\d{1,9})\\b`).exec(text)?.[1];
    if (code === undefined) return faultOfStatus(status) ?? unexpectedAnswer;
    return code === '0' ? faultOfStatus(status) : `对方的错误码为 ${code}，请检查设置`;
  };

/** Returns the fault of a status; '' if the status alone says enough, undefined if it is right. */
function faultOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? '对方要求改用另一个地址，请填写最终的地址' : '';
}

export async function testAddress(
  address: string,
  request: { method?: string; headers?: Record<string, string>; body?: string } = {},
  judge: AnswerCheck = faultOfStatus,
): Promise<TestResult> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const response = await fetchOutgoing(address, { ...request, signal: AbortSignal.timeout(responseTimeout) });
    const fault = judge(response.status, await beginningOf(response));
    return { ok: fault === undefined, status: response.status, took: took(), said: fault ?? '' };
  } catch (error) {
    return { ok: false, status: null, took: took(), said: reasonOf(error) };
  }
}

/** Reads only the beginning of a long response. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < judged) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel().catch(() => {});
  return text;
}

/** Explains a common network error in a sentence. */
function reasonOf(error: unknown): string {
  if (isInternalAddressError(error)) return internalAddressMessage;
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const code = cause?.code ?? '';
  if (name === 'TimeoutError') return `${responseTimeout / 1000}秒内没有应答`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return '找不到该域名';
  if (code === 'ECONNREFUSED') return '对方拒绝连接，请检查端口和防火墙';
  if (code === 'ECONNRESET') return '对方中断了连接';
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return `对方的证书无效（${code}）`;
  return `无法连接${code && `（${code}）`}`;
}

/** Sends a text message like `webhookDelivery`, with a text that says it is a test. */
export const testMessage = (address: string, { mobile, school }: { mobile: string; school: string }) => {
  const id = randomUUID();
  return testAddress(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ id, mobile, content: `${textSignature(school)}这是一条测试短信。` }),
  });
};

/** Sends a signed request that changes nothing on a BigBlueButton server. */
export const testBigBlueButton = (url: string, secret: string) => {
  const base = `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const checksum = createHash('sha256').update(`getMeetings${secret}`).digest('hex');
  return testAddress(
    `${base}/getMeetings?checksum=${checksum}`,
    {},
    answerCheck((text) => /<returncode>\s*SUCCESS\s*<\/returncode>/.test(text)),
  );
};
