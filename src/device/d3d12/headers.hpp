// Direct3D 12's headers, one way for Windows and for Linux. Everything that speaks to the API includes this file first.
//
// The interfaces of vkd3d are those of Windows, calling convention and all. DirectX-Headers knows Linux only as the
// place where Microsoft's own libraries run, which have Linux's conventions; so two things are set right here:
// the calling convention, and that methods return structs through a pointer, as the headers have it for GCC on Windows.
#pragma once

#if defined(_WIN32)
// MinGW's own headers of the same names end at shader model 6.0.
#include <windows.h>

#include <unknwn.h>

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>
#else
#include <basetsd.h>
#undef STDMETHODCALLTYPE
#undef WINAPI
#define STDMETHODCALLTYPE __attribute__((ms_abi))
#define WINAPI __attribute__((ms_abi))
#include <wsl/winadapter.h>
#define _WIN32
#include <directx/d3d12.h>
#undef _WIN32
#include <dxguids/dxguids.h>
#endif
