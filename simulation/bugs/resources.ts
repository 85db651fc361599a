// Resource leaks: a request does not release its resources. No money is lost until the resources run out.
import type { Bug } from './bug.ts'

export const resourceBugs: readonly Bug[] = [
  {
    name: 'descriptor-leaks-with-each-request',
    what: 'Each request opens a file that nobody closes.',
    edits: [
      {
        file: 'src/interfaces/merchant-api/serve-request.ts',
        find: '  frame.options.began?.(exchange.response)\n  if (isRefusedUnread',
        replace: `  openSync('/dev/null')\n  frame.options.began?.(exchange.response)\n  if (isRefusedUnread`,
      },
      {
        file: 'src/interfaces/merchant-api/serve-request.ts',
        find: `import { randomUUIDv7 } from 'node:crypto'`,
        replace: `import { randomUUIDv7 } from 'node:crypto'\nimport { openSync } from 'node:fs'`,
      },
    ],
  },
  {
    name: 'memory-leaks-with-each-request',
    what: 'Each request leaves two megabytes of working memory in a list.',
    edits: [
      {
        file: 'src/interfaces/merchant-api/serve-request.ts',
        find: '  frame.options.began?.(exchange.response)\n  if (isRefusedUnread',
        replace:
          '  workspaces.push(Buffer.alloc(2 << 20, 1))\n  frame.options.began?.(exchange.response)\n  if (isRefusedUnread',
      },
      {
        file: 'src/interfaces/merchant-api/serve-request.ts',
        find: 'type RequestHead = ',
        replace: 'const workspaces: Buffer[] = []\n\ntype RequestHead = ',
      },
    ],
  },
]
