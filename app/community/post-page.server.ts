/** What the two screens of one post load and take: CommunityShow and CommunityDetail. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import { cancelCollect, collectPost, commentPost, likePost, showPost } from '#server/community/contract.ts';
import { api } from '../api.server.ts';
import { idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { wayBack } from './address.ts';

interface Asked {
  context: Readonly<RouterContextProvider>;
  url: URL;
  postId: string | undefined;
}

export async function loadPost({ context, url, postId }: Asked) {
  const post = await context
    .get(api)
    .send(showPost, { params: { id: postId }, query: { page: url.searchParams.get('page') ?? undefined } });
  // The dialogs lie over the post with the search params that it was opened with.
  const { pathname, searchParams } = url;
  const path = pathname.replace(/\/report$/, '');
  const { timezone } = signedInPerson(context).settings;
  return {
    ...{ post, path, search: String(searchParams), back: wayBack(searchParams, post), timezone },
    idempotencyKey: crypto.randomUUID(),
  };
}

/** 点赞, 收藏 and 评论: forms of the page, which then stands where it stood. */
export async function actOnPost({ context, url, postId, request }: Asked & { request: Request }) {
  const client = context.get(api);
  const form = await request.formData();
  const id = Number(postId);
  const again = (anchor: string, msg?: string): never => {
    if (msg) getSession(context).flash('flash', { kind: 'success', msg });
    const search = new URLSearchParams(url.searchParams);
    search.delete('page');
    throw redirect(`${url.pathname}?${search}#${anchor}`);
  };
  const deed = String(form.get('deed') ?? '');
  if (deed === 'like' || deed === 'unlike') {
    const outcome = await client.ask(likePost, { params: { id }, body: { is_like: deed === 'like' ? 1 : 0 } });
    return outcome.ok ? again('post') : refused(outcome, form);
  }
  if (deed === 'collect') {
    const outcome = await client.ask(collectPost, { body: { post_id: id } });
    return outcome.ok ? again('post', outcome.msg) : refused(outcome, form);
  }
  if (deed === 'uncollect') {
    const outcome = await client.ask(cancelCollect, { params: { collectId: String(form.get('collect_id') ?? '') } });
    return outcome.ok ? again('post', outcome.msg) : refused(outcome, form);
  }
  if (deed !== 'comment') throw data({ msg: '请求无法处理，请返回后重试' }, { status: 400 });
  const outcome = await client.ask(commentPost, {
    body: { post_id: id, content: String(form.get('content') ?? '') },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? again('comments', outcome.msg) : refused(outcome, form);
}
