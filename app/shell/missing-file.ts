/** Must not be cached: the next build may contain the file. */
const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' };

export const loader = () => new Response('文件不存在', { status: 404, headers });
