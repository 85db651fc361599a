// Inline icons with the same line width, drawn on a grid of 24 units.
const paths = {
  overview: 'M4 19V9m6 10V5m6 14v-7M3 19h18',
  queues: 'M4 6h16M4 12h16M4 18h9m4-1 2 2 3-4',
  merchants: 'M4 10v9h16v-9M3 10l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0Z',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2V3Zm3 5h6m-6 4h6',
  payouts: 'M4 12h13m-5-5 5 5-5 5M20 5v14',
  disputes: 'M12 4 3 19h18L12 4Zm0 6v4m0 2.5v.5',
  links: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  statements: 'M6 3h8l4 4v14H6V3Zm8 0v4h4M9 12h6m-6 4h6',
  books: 'M5 4h6a1 1 0 0 1 1 1v15a2 2 0 0 0-2-2H5V4Zm14 0h-6a1 1 0 0 0-1 1v15a2 2 0 0 1 2-2h5V4Z',
  channels: 'M5 12a3 3 0 1 0 0 .1M19 6a2 2 0 1 0 0 .1M19 18a2 2 0 1 0 0 .1M7 11l9-4M7 13l9 4',
  risk: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3Z',
  developers: 'm8 8-4 4 4 4m8-8 4 4-4 4M13.5 5l-3 14',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'm5 12 5 5 9-10',
  copy: 'M9 9h10v11H9V9Zm-4 6V4h10',
  download: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  plus: 'M12 5v14M5 12h14',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8a7 7 0 0 1 14 0',
  chevron: 'm9 6 6 6-6 6',
  key: 'M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm3-6 9-7m-4 3 3 3',
  trash: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
