/** Tabs of the catalogues, and a tab that leads to the tree of knowledge points on another screen. */
import { type CatalogueKind, catalogueKinds, catalogueNames } from '#server/catalogue/rules.ts';
import { pointScreen } from '../questions/screens.ts';
import { Tabs } from '../ui/tabs.tsx';
import { catalogue } from './screens.ts';

export function CatalogueTabs({ current }: { current: CatalogueKind | 'points' }) {
  const tabs = catalogueKinds.map((kind) => ({
    key: kind as string,
    label: catalogueNames[kind],
    href: catalogue.href({ kind }) as string,
  }));
  const points = { key: 'points', label: '知识点', href: pointScreen.href() as string };
  const behindSubjects = catalogueKinds.indexOf('subjects') + 1;
  return <Tabs label="基础资料" current={current} tabs={tabs.toSpliced(behindSubjects, 0, points)} />;
}
