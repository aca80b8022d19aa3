/** Tab 班级圈子: posts, and a form to publish one with pictures. Head teachers can delete one or several posts. */
import { Button } from '@mantine/core';
import { PostCard } from '../../community/post-card.tsx';
import { NewPostForm } from '../../community/post-form.tsx';
import { classCirclePost, postDeletion } from '../../community/screens.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import type { RefusedForm } from '../../ui/form-state.ts';
import { List } from '../../ui/list.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import type { TabProps } from '../detail.server.ts';
import { classCircle } from '../screens.ts';

export function CircleTab({ shown, theClass, refused }: TabProps<'circle'> & { refused: RefusedForm | undefined }) {
  const { posts, idempotencyKey } = shown;
  const view = useAddress(classCircle);
  const mayDelete = posts.list.some(({ is_can_delete }) => is_can_delete === 1);
  return (
    <>
      <h2 className="visually-hidden">班级圈子</h2>
      <NewPostForm action={classCircle.href({ id: theClass.id })} idempotencyKey={idempotencyKey} refused={refused} />
      <List
        view={view}
        result={posts}
        nothing="暂无帖子"
        around={(list) =>
          mayDelete ? (
            // A GET form: submitting it opens the dialog with the ticked posts in its address.
            <AddressForm href={postDeletion.href(view.here)}>
              <Toolbar>
                <Button type="submit" variant="outline" color="red">
                  批量删除
                </Button>
              </Toolbar>
              {list}
            </AddressForm>
          ) : (
            list
          )
        }
        body={(rows) =>
          rows.map((post) => (
            <PostCard
              key={post.id}
              post={post}
              href={classCirclePost.href({ id: post.id, group_id: post.group_id, type: 1, back: view.here })}
              before={
                post.is_can_delete === 1 && (
                  <input type="checkbox" name="post" value={post.id} aria-label={`选择${post.nickname}的帖子`} />
                )
              }
              deleteHref={postDeletion.href(view.here, { post: [post.id] })}
            />
          ))
        }
      />
    </>
  );
}
