/** Exchanges a question of the form for a similar one of the bank. */
import { exchangeHomeworkQuestion } from '#server/homework/compose.contract.ts';
import type { ApiClient } from '../../api/client.server.ts';
import { draftOf } from '../../questions/question-codec.ts';
import { exchangeRequest, type NewQuestion, type PublishForm, withExchanged } from './form.ts';
import { exchangedNotice, type OperationResult } from './operations.ts';

/** Finds a similar question. `msg`, `status`: why there is none. */
export async function findSimilar(
  client: ApiClient,
  body: NonNullable<ReturnType<typeof exchangeRequest>>,
): Promise<{ question: Pick<NewQuestion, 'source_id' | 'draft'> } | { msg: string; status: number }> {
  const { source_id, ...wanted } = body;
  const outcome = await client.ask(exchangeHomeworkQuestion, {
    body: { ...wanted, source_id: source_id ?? undefined },
  });
  return outcome.ok
    ? { question: { source_id: outcome.data.id, draft: draftOf(outcome.data) } }
    : { msg: outcome.msg, status: outcome.status };
}

export async function exchangeInForm(client: ApiClient, form: PublishForm, key: number): Promise<OperationResult> {
  const body = exchangeRequest(form, key);
  if (!body) return { form };
  const found = await findSimilar(client, body);
  if ('msg' in found) return { form, notice: { kind: 'warning', msg: found.msg } };
  return { form: withExchanged(form, key, found.question), notice: exchangedNotice };
}
