// The router requires this entry of the browser build. No page loads it: client JS is in islands.
export {};
