import { data } from 'react-router';
import { showAdminExam, showAdminPaper } from '#server/exams/admin.contract.ts';
import { removeSection } from '#server/exams/composing.contract.ts';
import { missingSection, sectionContent } from '#server/exams/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { examPaper, sectionRemove } from '../screens.ts';

const dialog = formDialog({
  call: removeSection,
  at: sectionRemove,
  params: (url) => ({ id: examPaper.at(url).id, sectionId: sectionRemove.at(url).section }),
  title: '删除部分',
  submit: '确定删除',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const { refusals } = await client.send(showAdminExam, { params });
  const { detail } = await client.send(showAdminPaper, { params });
  const found = detail.find(({ section }) => section.id === sectionRemove.at(url).section);
  if (!found) throw data({ msg: missingSection }, { status: 404 });
  return { name: found.section.name, effect: sectionContent(found.question.length) ?? '', refusal: refusals.paper };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { name, effect }) => (
  <>
    <p>
      部分：<strong>{name}</strong>
    </p>
    <p>
      {effect && (
        <>
          其中的<strong>{effect}</strong>会一起从试卷移除。
        </>
      )}
      确定删除吗？
    </p>
  </>
));
