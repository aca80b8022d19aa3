import { data } from 'react-router';

const notFound = () => data({ msg: '您访问的页面不存在' }, { status: 404 });

export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}
