/** Edits a state-school class. If somebody else saved meanwhile, shows both versions of the fields. */
import { classOptions, editClass, showAdminClass } from '#server/classes/admin.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { adminClass, adminClassEdit, adminClasses } from '../screens.ts';
import { ClassFields, readTerms } from './class-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '编辑班级' }] };

const screen = formScreen({
  call: editClass,
  params: adminClassEdit.at,
  back: (url) => adminClass.href(adminClassEdit.at(url)),
  title: '编辑班级',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params }) => {
  const [theClass, options] = await Promise.all([client.send(showAdminClass, { params }), client.send(classOptions)]);
  const { name, grade_id, classify_id, large_class_id, term_ids, valid_type, valid_day, is_circle_hidden, seen } =
    theClass;
  const large_classes = options.large_classes.filter(({ school_id }) => school_id === theClass.school_id);
  // Terms that are over are offered as long as the class has them.
  const terms = [...options.terms, ...theClass.terms.filter(({ id }) => !options.terms.some((term) => term.id === id))];
  return {
    subject: name,
    options: { ...options, large_classes, terms },
    values: { name, grade_id, classify_id, large_class_id, term_ids, valid_type, valid_day, is_circle_hidden, seen },
    draft: `class ${theClass.id}`,
  };
});

export const action = dialogAction(screen, { body: readTerms });

export default screen.page<typeof loader>((_, { options }) => <ClassFields options={options} />);
