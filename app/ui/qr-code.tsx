/** A QR code, drawn by the server. */
import { encode } from 'uqr';

interface QrCodeProps {
  /** Text of the code, such as an address. */
  text: string;
  /** Text that screen readers read in place of the picture. */
  label: string;
  className?: string | undefined;
}

export function QrCode({ text, label, className }: QrCodeProps) {
  // The quiet zone of four modules is part of the code; a frame around it would be read as data.
  const { size, data } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
