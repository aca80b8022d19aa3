/** Loads the screens CommunityShow and CommunityDetail, which each show one post, and handles their buttons. */
import { redirect } from 'react-router';
import { cancelCollect, collectPost, commentPost, likePost, showPost } from '#server/community/contract.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, readForm } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { postBackHref } from './screens.ts';

export async function loadPost(
  context: RequestContext,
  id: number,
  filter: { page: number; limit: number },
  openedFrom: Parameters<typeof postBackHref>[0],
) {
  const post = await context.get(api).send(showPost, { params: { id }, filter });
  return { post, back: postBackHref(openedFrom, post), idempotencyKey: crypto.randomUUID() };
}

interface PostRequest extends Pick<FormRequest, 'context' | 'request'> {
  postId: number;
  backTo: string;
}

/** Handles the buttons 点赞, 收藏 and 评论 and returns to the same position on the page. */
export async function handlePostButtons({ context, request, postId: id, backTo }: PostRequest) {
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [intent, collectId = ''] = readButton(form, 'like', 'unlike', 'collect', 'uncollect', 'comment');
  if (intent === 'like' || intent === 'unlike') {
    const outcome = await client.ask(likePost, { params: { id }, body: { is_like: intent === 'like' ? 1 : 0 } });
    // No message is shown, because the button itself shows the result.
    if (outcome.ok) throw redirect(`${backTo}#post`);
    return refusedForm(outcome, form);
  }
  if (intent === 'collect') {
    return finishForm(context, await client.ask(collectPost, { body: { post_id: id } }), `${backTo}#post`, form);
  }
  if (intent === 'uncollect') {
    return finishForm(context, await client.ask(cancelCollect, { params: { collectId } }), `${backTo}#post`, form);
  }
  const outcome = await client.ask(commentPost, {
    body: { ...readForm(commentPost, form), post_id: id },
    idempotencyKey: idempotencyField(form),
  });
  return finishForm(context, outcome, `${backTo}#comments`, form);
}
