import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchPerson } from "./api/one-person.ts";
import { queryClient } from "./api/query-client.ts";
import { watchTyping } from "./api/session-end.ts";
import { router } from "./router/router.tsx";

watchPerson();
watchTyping();
createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
