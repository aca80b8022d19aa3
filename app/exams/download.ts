/** The paper of an exam as PDF: made, and handed out under the address of its file. */
import { data, redirect } from 'react-router';
import * as v from 'valibot';
import { downloadExam, paperVariants } from '#server/exams/contract.ts';
import { api } from '../api.server.ts';
import type { Route } from './+types/download';
import { idIn } from './paper-address.ts';

export async function action({ request, context, url }: Route.ActionArgs) {
  const variant = v.safeParse(v.picklist(paperVariants), (await request.formData()).get('variant'));
  const outcome = await context.get(api).ask(downloadExam, {
    params: { id: idIn(url.searchParams, 'id') },
    body: { variant: variant.success ? variant.output : 'paper' },
  });
  if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
  return redirect(outcome.data.path);
}
