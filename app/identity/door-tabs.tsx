import { Tabs } from '../ui/tabs.tsx';
import { learnerLinkList, linkList } from './screens.ts';

/** Tabs between the links of staff and of learners: an account is linked at each door apart. */
export const DoorTabs = ({ current }: { current: 'staff' | 'learners' }) => (
  <Tabs
    label="从哪里登录"
    current={current}
    tabs={[
      { key: 'staff', label: '教职工', href: linkList.href() },
      { key: 'learners', label: '学员端', href: learnerLinkList.href() },
    ]}
  />
);
