// Makes a folder with the content of the image of deploy/Dockerfile: the paths that the file copies, and the packages
// without those for development.
import { chmodSync, copyFileSync, cpSync, linkSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { read, readDockerfile, root } from './read-deploy.ts'

export type ImageFolder = { readonly folder: string; readonly node: string; readonly data: string }

export function makeImageFolder(): ImageFolder {
  const parent = mkdtempSync(join(tmpdir(), 'tollgate-image-'))
  // Another user runs the programs in this folder.
  chmodSync(parent, 0o755)
  const [folder, node, data] = [join(parent, 'app'), join(parent, 'node'), join(parent, 'data')]
  for (const path of copiedPaths()) {
    if (path === 'node_modules') for (const one of neededPackages()) copy(one, folder)
    else copy(path, folder)
  }
  link(realpathSync(join(root, 'node_modules/.bin/node')), node)
  mkdirSync(data)
  return { folder, node, data }
}

function copiedPaths(): string[] {
  const copies = readDockerfile().filter(({ name }) => name === 'COPY')
  return copies.flatMap(({ text }) => /--from=build \/app\/(\S+)/.exec(text)?.[1] ?? [])
}

type Locked = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> }

/** Returns the packages that `npm prune --omit=dev` keeps. Packages inside of others are copied with them. */
function neededPackages(): string[] {
  const { packages }: Locked = JSON.parse(read('node_modules/.package-lock.json'))
  return Object.keys(packages).filter(
    (path) => packages[path]?.dev !== true && path.lastIndexOf('node_modules/') === 0,
  )
}

function copy(path: string, folder: string): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target, {
    recursive: true,
    dereference: true,
    filter: (from) => !from.endsWith('sdk/dist'),
  })
}

/** Links the file, because a copy of Node takes 150 MB. Copies it where a link is impossible. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
