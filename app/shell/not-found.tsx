import { data } from 'react-router';

const notFound = () => data({ msg: '您访问的页面不存在' }, { status: 404 });

export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

/** Never shown: with it the route is a page, so that the refusal above becomes the error page. */
export default function NotFound() {
  return null;
}
