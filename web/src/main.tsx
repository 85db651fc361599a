import '@mantine/core/styles.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no element "app"')
createRoot(root).render(<App />)
