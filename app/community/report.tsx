import { reportPost, showPost } from '#server/community/contract.ts';
import { reportLimit, reportTypes } from '#server/community/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { postReport, postScreens } from './screens.ts';
import { reportReasonNames } from './terms.ts';

const dialog = formDialog({ call: reportPost, at: postReport, title: '举报帖子', submit: '提交' });

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const post = await client.send(showPost, { params: { id: postScreens.at(url).id }, query: { limit: 1 } });
  return {
    nickname: post.nickname,
    draft: `report ${post.id}`,
    refusal: post.refusals.report,
  };
});

export const action = dialogAction(dialog, { body: (_, { url }) => ({ post_id: postScreens.at(url).id }) });

export default dialog.page<typeof loader>(({ AreaField, RadioField }, { nickname }) => (
  <>
    <p>举报{nickname}的帖子</p>
    <RadioField
      name="type"
      label="举报原因"
      withAsterisk
      choices={reportTypes.map((type) => [type, reportReasonNames[type]] as const)}
    />
    <AreaField name="content" label="举报说明" limit={reportLimit} rows={3} />
  </>
));
