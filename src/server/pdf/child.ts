import { handleJobs } from '../workers/child.ts';
import { createTypstRenderer } from './typst-renderer.ts';

handleJobs(createTypstRenderer());
