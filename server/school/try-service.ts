/** Asks a service once and tells what it answered, word for word, so that whoever sets it up sees what is wrong. */
import { createHash, randomUUID } from 'node:crypto';
import type { Tried } from './settings.contract.ts';

/** Milliseconds that a service may take, and characters of what it says that are shown. */
const patience = 8_000;
const shown = 500;

export async function trialOf(
  address: string,
  request: { method?: string; headers?: Record<string, string>; body?: string } = {},
  isGood: (status: number, text: string) => boolean = (status) => status >= 200 && status < 300,
): Promise<Tried> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const response = await fetch(address, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    const said = movedTo(response)?.slice(0, shown) ?? (await beginningOf(response));
    return { ok: isGood(response.status, said), status: response.status, took: took(), said };
  } catch (error) {
    return { ok: false, status: null, took: took(), said: reasonOf(error) };
  }
}

/** Nobody follows a redirect, also not where a text message is sent. */
function movedTo({ status, headers }: Response): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return location === null ? undefined : `对方要求改用地址 ${location}`;
}

/** The beginning of a text; of what is longer no more is read. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < shown) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel().catch(() => {});
  return text.replace(/[^\P{Cc}\n]/gu, ' ').slice(0, shown);
}

/** In words where it is one of those that happen. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const code = cause?.code ?? '';
  if (name === 'TimeoutError') return `${patience / 1000}秒内没有应答`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return '找不到该域名';
  if (code === 'ECONNREFUSED') return '对方拒绝连接，请检查端口和防火墙';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return '对方中断了连接';
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return `对方的证书无效（${code}）`;
  return `无法连接${code && `（${code}）`}`;
}

/** A text message as every one is sent (`webhookDelivery`), which says that it is a trial. */
export const messageTrial = (address: string, { mobile, school }: { mobile: string; school: string }) => {
  const id = randomUUID();
  return trialOf(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ id, mobile, content: `【${school || '教学后台'}】这是一条测试短信。` }),
  });
};

/** A signed question that changes nothing on a BigBlueButton server. */
export const bigBlueButtonTrial = (url: string, secret: string) => {
  const base = `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const checksum = createHash('sha256').update(`getMeetings${secret}`).digest('hex');
  return trialOf(
    `${base}/getMeetings?checksum=${checksum}`,
    {},
    (status, text) => status === 200 && /<returncode>\s*SUCCESS\s*<\/returncode>/.test(text),
  );
};
